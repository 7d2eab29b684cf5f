"""Services that speak OpenAI's protocol, OpenAI's own or another's: models that chat (`chat`)
or say yes or no (`minicheck`), and embedders."""
