"""What may be spent on a model, in a run, a day and a minute, and who may call it now."""
