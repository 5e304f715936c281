# What Python makes of texts and JSON documents: reads {"texts": [...], "documents": [...]}, writes a list for each.
import json
import platform
import sys
from urllib.parse import unquote, urlparse


def of_text(text):
    made = {"decoded": unquote(text)}
    try:
        parts = urlparse(text)
    except ValueError:
        return made
    if parts.scheme:
        made = {"scheme": parts.scheme, **made}
    return {**made, "path": parts.path, "decodedPath": unquote(parts.path)}


def of_document(document):
    value = json.loads(document).get("path")
    return {"path": value} if isinstance(value, str) else {}


given = json.load(sys.stdin)
print(
    json.dumps(
        {
            "version": platform.python_version(),
            "texts": [of_text(text) for text in given["texts"]],
            "documents": [of_document(document) for document in given["documents"]],
        }
    )
)
