"""Documents that are ZIP archives: Word, OpenDocument, EPUB."""
