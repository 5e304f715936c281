#!/usr/bin/env bash
# The flags of the testkit's hostile server that concern processes, in a program that starts twenty times as fast.
# usage: hostile.sh [--flag]...

has() { [[ " $flags " == *" --$1 "* ]]; }

# Answers nothing and starts nothing until a signal ends it.
live_on() {
  exec 4<> <(:)
  while :; do read -r _ <&4; done
}

# A process behind a shell, as package runners start it. Returns when it runs.
start_grandchild() {
  exec 3< <(exec "$@" sh -c 'sleep 600 & echo $!; wait' < /dev/null 2> /dev/null)
  read -r _ <&3
  exec 3<&-
}

answer() {
  if has string-ids; then id="\"${id//\"/}\""; fi
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"
  if has answers-twice; then printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; fi
}

handle() {
  case $1 in
    *'"method":"initialize"'*)
      answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}}'
      if has stops-reading; then live_on; fi
      ;;
    *'"method":"tools/list"'*)
      if has endless-pages; then next=',"nextCursor":"1"'; fi
      answer '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]'"${next:-}"'}'
      ;;
    *'"method":"tools/call"'*)
      if has crash-mid-call; then exit 7; fi
      if has closes-stdout; then exec >&-; live_on; fi
      answer '{"content":[{"type":"text","text":"a"}]}'
      ;;
    *) answer '{}' ;;
  esac
}

flags="$*"
if has wrapped; then
  sh -c "'$BASH' '$0' ${flags//--wrapped/}; exit \$?"
  exit $?
fi
if has grandchild; then start_grandchild; fi
if has setsid; then start_grandchild setsid; fi
if has crash-before-initialize; then exit 3; fi
if has ignore-stop; then trap 'echo "not now" >&2' TERM; fi

while read -r line; do
  if [[ $line != *'"id":'* ]] || has silent; then continue; fi
  id=${line#*'"id":'}
  id=${id%%,*}
  handle "$line"
done
if has ignore-stop; then live_on; fi
