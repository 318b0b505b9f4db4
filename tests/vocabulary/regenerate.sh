#!/bin/sh
# Writes table.jsonl.gz anew from the real libraries. Needs Go; the seed is fixed, so the table only changes
# when the libraries or this program do.
set -eu
cd "$(dirname "$0")/go"
TZ=UTC go run . | gzip -9n > ../table.jsonl.gz
