"""What is looked up in the evidence as it is written, and judged by nobody: names in code, and lines of it."""
