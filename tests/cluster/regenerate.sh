#!/bin/sh
# Writes words.jsonl anew: the documents of discovery, then what the controller's own clients (client-go and
# k8s.io/metrics) ask and say. Needs Go; listens on loopback. The table only changes when the clients or this program do.
set -eu
cd "$(dirname "$0")/go"
go run . > ../words.jsonl
