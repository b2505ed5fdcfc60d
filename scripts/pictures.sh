#!/bin/sh
# Draws the pictures of README and docs from the sample knowledge base, in build/pictures.
set -eu

rm -rf build/pictures
mkdir -p build docs/pictures
evidex init build/pictures --sample
evidex ingest build/pictures/docs --sync --workspace build/pictures
evidex build --workspace build/pictures
evidex publish --workspace build/pictures
evidex eval run build/pictures/golden/dev.jsonl --workspace build/pictures
plot() { evidex plot "$1" --to "docs/pictures/$1.svg" --workspace build/pictures; }
plot funnel
plot slices
