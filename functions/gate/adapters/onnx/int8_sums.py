"""Whether sums of int8 products are right on this processor, found out by one multiplication.

Without VNNI, x86 adds products of uint8 and int8 in 16 bits, and a sum that does not fit is cut. Multiplying uint8 with
uint8 avoids that and takes more than twice as long, so it is asked for only where sums are wrong.
"""

from __future__ import annotations

from functools import cache

MULTIPLICATION = (
    b'\x08\x08\x12\x00:b\n\x18\n\x01a\n\x01b\x12\x01c"\rMatMulInteger\x12\x01gZ\x15\n\x01a\x12\x10\n\x0e\x08\x02'
    b"\x12\n\n\x03\x12\x01m\n\x03\x12\x01kZ\x15\n\x01b\x12\x10\n\x0e\x08\x03\x12\n\n\x03\x12\x01k\n\x03\x12\x01n"
    b"b\x15\n\x01c\x12\x10\n\x0e\x08\x06\x12\n\n\x03\x12\x01m\n\x03\x12\x01nB\x04\n\x00\x10\r"
)
"""A model in ONNX: c (int32) = a (uint8, m × k) · b (int8, k × n), `MatMulInteger` of opset 13."""
ROWS = (1, 16)
"""Of `a`: a vector and a matrix have kernels of their own."""
LENGTH, COLUMNS = 64, 32
LARGEST = 255, 127


@cache
def sums_are_cut() -> bool:
    """Whether they are, or nothing can be said of them."""
    import numpy as np
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    b = np.full((LENGTH, COLUMNS), LARGEST[1], dtype=np.int8)
    try:
        session = InferenceSession(MULTIPLICATION, options, providers=["CPUExecutionProvider"])
        found = [
            session.run(["c"], {"a": np.full((rows, LENGTH), LARGEST[0], dtype=np.uint8), "b": b}) for rows in ROWS
        ]
    except Exception:  # noqa: BLE001 - the runtime's errors have no class in common
        return True
    right = LARGEST[0] * LARGEST[1] * LENGTH
    return any((each[0] != right).any() for each in found)
