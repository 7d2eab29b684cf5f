"""Documents of a corpus in each format that is read; one that cannot be read is a problem with a reason."""

from __future__ import annotations

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read as passages_of
from tests.fuzz.targets import choice

ENDINGS = (".jsonl", ".html", ".pdf", ".md", ".txt", ".rst", ".mdx", ".adoc", ".csv", ".json", ".yaml", ".eml", ".py")
PDF = b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj
4 0 obj <</Length 50>> stream
BT /F1 12 Tf 20 200 Td (Refunds take 14 days.) Tj ET
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>> endobj
6 0 obj <</Length 60>> stream
begincmap 1 beginbfchar <41> <0042> endbfchar endcmap
endstream endobj
trailer <</Root 1 0 R/Info<</Title(Returns)>>>>
%%EOF
"""
SEEDS = [
    b'\0{"id": "a", "content": "Refunds take 14 days.", "title": "T", "date": "2024-05-03"}\n{"content": "b"}',
    b"\1<!doctype html><html><head><title>Returns</title><style>p {}</style></head><body><nav>Home</nav><main><h1>"
    b"Returns</h1><p>Send it <b>back</b> within\n30&nbsp;days.<table><tr><td>1<td>2</table><script>x()</script></main>",
    b"\2" + PDF,
    b"\3# Returns\n\nSend it back.\n\n## Costs\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    b"\4\xff\xfeA\0 \0b\0.\0\n\0\n\0C\0",
]


def read(data: bytes) -> None:
    ending, data = choice(data, *ENDINGS)
    for found in passages_of(data, f"a{ending}"):
        if isinstance(found, Problem):
            assert found.why
            assert "\n" not in found.why
        else:
            assert found["content"]
