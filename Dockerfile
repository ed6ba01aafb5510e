FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /app

COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY bot ./bot
COPY memory ./memory
COPY observers ./observers
COPY config ./config
RUN pip install -c constraints.txt '.[matrix]'

# The pet owns its memories and nothing else.
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin eko \
    && install -d -o eko -g eko /data
USER eko
WORKDIR /data
VOLUME /data

# Inside a container loopback is the container's own: what may reach the page is decided by
# whoever publishes the port.
ENV EKO_DATA_DIR=/data \
    EKO_WEB__HOST=0.0.0.0 \
    EKO_WEB__PORT=8484
EXPOSE 8484

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8484/healthz', timeout=4)"]

STOPSIGNAL SIGTERM
CMD ["eko", "run"]
