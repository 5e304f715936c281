# A server that opens sessions and does nothing else, for many of them: it starts in a fraction of the time of Node.
while read -r line; do
  id=${line#*\"id\":}
  id=${id%%[,\}]*}
  case $line in
  *'"method":"initialize"'*)
    result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"toolbridge-bench","version":"1.0.0"}}'
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
    ;;
  *'"id":'*)
    printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}\n' "$id"
    ;;
  esac
done
