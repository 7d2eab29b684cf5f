"""Fuzzing: bytes that nobody thought of, for everything that reads what comes from outside.

A target is one module in `targets/`: `SEEDS`, a few inputs that are read well, and `read(data)`, which reads any bytes
as the gate would. A `GateError` is a good end; what else it raises is a finding, and so are ten seconds or a gigabyte.
"""
