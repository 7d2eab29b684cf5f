"""What every protocol of a language model shares: what models can do, how they are asked in time, what they cost."""
