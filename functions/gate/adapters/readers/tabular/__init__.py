"""Documents that are tables: CSV, TSV, and the sheets of workbooks."""
