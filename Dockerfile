# syntax=docker/dockerfile:1
# Any base with Python 3.11 or newer, venv and pip will do: --build-arg BASE=...
ARG BASE=python:3.11-slim
FROM ${BASE}

# What is in it besides the pet: --build-arg EXTRAS="matrix local" adds the local embedder (the tag `local`).
ARG EXTRAS=matrix

# Bytecode stands in a folder of its own, made below for what the pet imports: compiling every module
# of every package would be 90 MB more, and nothing can be written when the pet runs.
ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPYCACHEPREFIX=/opt/bytecode

# What Eko is built on, in a layer that stays the same while only Eko's own code changes. Of Babel's
# thousand languages the two that the pet speaks are kept, and of no package its tests.
RUN --mount=type=bind,source=pyproject.toml,target=/src/pyproject.toml \
    --mount=type=bind,source=constraints.txt,target=/src/constraints.txt \
    python3 -m venv --without-pip /opt/eko \
    && python3 -c 'import sys, tomllib; p = tomllib.load(sys.stdin.buffer)["project"]; print(*p["dependencies"], *(r for e in sys.argv[1:] for r in p["optional-dependencies"][e]), sep="\n")' ${EXTRAS} \
        < /src/pyproject.toml > /tmp/requirements.txt \
    && python3 -m pip --python /opt/eko/bin/python install --no-cache-dir --no-compile --disable-pip-version-check \
        -c /src/constraints.txt -r /tmp/requirements.txt \
    && find /opt/eko -path '*/babel/locale-data/*.dat' ! -name 'root.dat' ! -name 'en*.dat' ! -name 'fr*.dat' -delete \
    && find /opt/eko -type d \( -name tests -o -name SelfTest \) -prune -exec rm -rf {} + \
    && rm /tmp/requirements.txt

# Eko itself, and bytecode of all that its modules import.
RUN --mount=type=bind,target=/src \
    python3 -m pip --python /opt/eko/bin/python install --no-cache-dir --no-compile --disable-pip-version-check \
        --no-deps /src \
    && env -u PYTHONDONTWRITEBYTECODE /opt/eko/bin/python -P /src/deploy/import_everything.py \
    && rm -rf /opt/bytecode/tmp \
    && install -d -m 1777 -o 10001 -g 10001 /data

# Any user will do (--user, or PUID and PGID of docker-compose.yml), and nothing but /data is written
# to. A new volume takes the mode of /data: whoever the pet runs as can write there.
USER 10001:10001
WORKDIR /data
VOLUME /data

# Inside a container loopback is the container's own: what may reach the page is decided by
# whoever publishes the port.
ENV PATH=/opt/eko/bin:$PATH \
    HOME=/data \
    EKO_DATA_DIR=/data \
    EKO_WEB__HOST=0.0.0.0 \
    EKO_WEB__PORT=8484
EXPOSE 8484

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"EKO_WEB__PORT\"]}/healthz', timeout=4)"]

STOPSIGNAL SIGTERM
CMD ["eko", "run"]
