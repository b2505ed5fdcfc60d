#!/bin/sh
# One cited answer, one abstention, one why-not and one lost piece of evidence on the sample knowledge base, in build/demo.
set -eu

run() { # prints a command, then runs it; an answer withheld (exit code 1) is a result
    printf '\n$ %s\n' "$(printf '%s' "evidex"; for word in "$@"; do case $word in *[\ ?]*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac; done)"
    evidex "$@" || [ $? -eq 1 ]
}

rm -rf build/demo
mkdir -p build
run init build/demo --sample
cd build/demo
run ingest docs --sync
run build
run publish
run ask "What is the refund window in the United States?"
run ask "Can I pay with a gift card?"
run explain "What is the refund window in the United States?" --why-not refund-us-v2
run why "From my kitchen table the wiki does not load. What has to run first?" \
    --expected "Away from the office, internal systems can be reached through the VPN alone"
