"""LlamaIndex: an evaluation of a response with its source nodes."""

from __future__ import annotations

from importlib import import_module

from tests.tools.recipes import FALSE, TRUE, run

core, schema = import_module("llama_index.core"), import_module("llama_index.core.schema")
evaluator = run("LlamaIndex")["evaluator"]
assert evaluator.evaluate("When?", TRUE).passing, "against the corpus"
nodes = [schema.NodeWithScore(node=schema.TextNode(text=TRUE))]
found = evaluator.evaluate_response("When?", core.Response(FALSE, source_nodes=nodes))
assert (found.score, found.passing) == (0.0, False)
assert FALSE in found.feedback
