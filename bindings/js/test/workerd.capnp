using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [ (
    name = "cases",
    worker = (
      modules = [
        (name = "js/tmp/workerd.js", esModule = embed "../tmp/workerd.js"),
        (name = "wasm/engine.wasm", wasm = embed "../wasm/engine.wasm"),
        (name = "wasm/owner.wasm", wasm = embed "../wasm/owner.wasm"),
        (name = "wasm/verger.wasm", wasm = embed "../wasm/verger.wasm"),
        (name = "js/tmp/cases.jsonl", text = embed "../tmp/cases.jsonl")
      ],
      compatibilityDate = "2026-11-01"
    )
  ) ]
);
