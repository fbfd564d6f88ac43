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

usage() {
  echo "Usage: coffer [start]            serve; the settings are read from the environment (docs/configuration.md)
       coffer worker            run background jobs and nothing else, next to servers on PostgreSQL
       coffer admin <command>   the operator's commands; without one, their list
       coffer read <file>       print what recognition finds in a file; nothing is stored"
}

# Both are told everything by the environment: what else is written there is not left unheard.
alone() {
  [ $# -le 1 ] && return
  usage >&2
  exit 2
}

case "${1-start}" in
  start)
    alone "$@"
    run main
    ;;
  worker)
    alone "$@"
    run worker
    ;;
  admin)
    shift
    run admin "$@"
    ;;
  read)
    shift
    run read "$@"
    ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
