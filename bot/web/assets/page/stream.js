// What happens, told to this tab: by the worker that all tabs share, or by a stream of its own.
import { Source } from "./source.js";

export function follow(since, name, tell) {
  if (!("SharedWorker" in globalThis)) return new Source(since, tell);
  let own = null;
  const worker = new SharedWorker(new URL("./worker.js", import.meta.url), { type: "module", name });
  worker.addEventListener("error", () => {
    own ??= new Source(since, tell);
  });
  worker.port.addEventListener("message", ({ data }) => tell(data));
  worker.port.start();
  worker.port.postMessage({ since });
  addEventListener("pagehide", () => worker.port.postMessage({ bye: true }));
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  return worker;
}
