-- The same as what public macros hand on.
merge, pipeline, aligned, strategy, missing, context, smooth::VARCHAR, alpha
