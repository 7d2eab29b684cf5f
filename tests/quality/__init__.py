"""Quality of the verifier that ships, measured on the labelled sets that GATE_DATA names."""
