#!/bin/sh
# Installs the software of others that tests/peers talk to, into the folder named by EKO_PEERS.
set -eu
: "${EKO_PEERS:?names the folder to install into}"
npm install --no-package-lock --no-audit --no-fund --prefix "$EKO_PEERS" \
    @copilotkit/aimock@1.43.0
