"""Amazon Bedrock: models that answer in text (`converse`) and that read images (`images`)."""
