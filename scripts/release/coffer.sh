#!/bin/sh
# Runs Coffer on the Node in this folder; `npm run release` fills in the flags and variables that the server is run with.
set -eu
home=$(dirname "$(readlink -f "$0")")
#ENVIRONMENT#

run() {
  program=$1
  shift
  exec "$home/node/node" #NODE_FLAGS# "$home/server/$program.ts" "$@"
}

case "${1-start}" in
  start) run main ;;
  admin)
    shift
    run admin "$@"
    ;;
  *)
    echo "Usage: coffer [start]            serve; the settings are read from the environment
       coffer admin <command>   the operator's commands" >&2
    exit 2
    ;;
esac
