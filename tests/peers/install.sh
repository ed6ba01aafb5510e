#!/bin/sh
# Installs the software of others that tests/peers talk to, into the folder named by EKO_PEERS:
# a Messages API (aimock) and a Discord server (discord-digital-twin). Running it again is harmless.
set -eu
: "${EKO_PEERS:?names the folder to install into}"
mkdir -p "$EKO_PEERS"
# The twin asks for a pre-release of its router that does not run by itself; 1.19.0 does.
cat > "$EKO_PEERS/package.json" <<'JSON'
{
  "private": true,
  "dependencies": {
    "@copilotkit/aimock": "1.43.0",
    "discord-digital-twin": "0.1.1"
  },
  "overrides": {
    "spiceflow": "1.19.0"
  }
}
JSON
npm install --no-package-lock --no-audit --no-fund --fetch-retries 5 --prefix "$EKO_PEERS"
# What npm says to have installed must be there, and load.
test -x "$EKO_PEERS/node_modules/.bin/llmock"
cd "$EKO_PEERS"
node --input-type=module --eval "await import('discord-digital-twin')"
