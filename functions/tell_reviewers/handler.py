from gate.runtime import lambda_handler_for

handler = lambda_handler_for("tell_reviewers")
