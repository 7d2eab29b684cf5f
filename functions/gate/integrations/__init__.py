"""The gate inside other tools: one module each, which imports that tool and is imported by it alone."""
