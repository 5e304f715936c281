// What Go makes of texts and JSON documents: reads {"texts": [...], "documents": [...]}, writes a list for each.
package main

import (
	"encoding/json"
	"net/url"
	"os"
	"runtime"
)

type arguments struct {
	Path string `json:"path"`
}

type made map[string]string

func ofText(text string) made {
	found := made{}
	if u, err := url.Parse(text); err == nil {
		found["path"] = u.Path
		if u.Scheme != "" {
			found["scheme"] = u.Scheme
		}
		if u.Opaque != "" {
			found["opaque"] = u.Opaque
		}
	}
	if decoded, err := url.PathUnescape(text); err == nil {
		found["decoded"] = decoded
	}
	if decoded, err := url.QueryUnescape(text); err == nil {
		found["decodedForm"] = decoded
	}
	return found
}

func ofDocument(document string) made {
	var read arguments
	if err := json.Unmarshal([]byte(document), &read); err != nil || read.Path == "" {
		return made{}
	}
	return made{"path": read.Path}
}

func main() {
	var given struct{ Texts, Documents []string }
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	texts, documents := []made{}, []made{}
	for _, text := range given.Texts {
		texts = append(texts, ofText(text))
	}
	for _, document := range given.Documents {
		documents = append(documents, ofDocument(document))
	}
	result := map[string]any{"version": runtime.Version(), "texts": texts, "documents": documents}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		panic(err)
	}
}
