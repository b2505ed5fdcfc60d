#!/bin/sh
# Draws the pictures of README and docs from the sample knowledge base, in build/pictures.
set -eu

root=$PWD
rm -rf build/pictures
mkdir -p build docs/pictures
evidex init build/pictures --sample
cd build/pictures
evidex ingest docs --sync
evidex build
evidex publish
EVIDEX_ANSWERING__MIN_SUPPORT=0.4 evidex eval run golden/dev.jsonl
bolder=$(evidex eval runs --json | sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p' | tail -1)
evidex eval run golden/dev.jsonl

plot() { name=$1; shift; evidex plot "$name" --to "$root/docs/pictures/$name.svg" "$@"; }
question="From my kitchen table the wiki does not load. What has to run first?"
plot funnel
plot slices
plot risk-coverage
plot win-loss --against "$bolder" --measure cited/fact:R
plot rrf-contributions --question "$question"
plot chunk-boundaries --document incident-handbook-v2
plot contrastive-training --golden golden
plot bm25-curves
plot embedding-map
