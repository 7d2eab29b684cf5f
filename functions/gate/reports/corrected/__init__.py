"""An answer with the corrections that its report offers: what is edited, where, and what is left to do by hand."""
