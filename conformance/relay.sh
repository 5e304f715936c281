#!/bin/sh
# What the suite starts as its client: passes the scenario to the client process and exits with its result.
# usage: relay.sh <pipe of requests> <pipe of results> <URL of the server>
printf '%s\n' "$MCP_CONFORMANCE_SCENARIO" "$3" "${MCP_CONFORMANCE_CONTEXT:-{\}}" > "$1"
{ read -r code && cat >&2; } < "$2"
exit "${code:-1}"
