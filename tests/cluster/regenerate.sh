#!/bin/sh
# Writes two kinds of tables anew. words.jsonl: the documents of discovery, then what the controller's own clients
# (client-go and k8s.io/metrics) ask and say. manners/: what kubectl's libraries make of kubeconfigs and flags, of
# proxies, and of templates. Needs Go; listens on loopback. They only change when the clients or these programs do.
set -eu
cd "$(dirname "$0")/go"
go run . > ../words.jsonl
go run ./manners ../manners
