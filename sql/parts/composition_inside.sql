-- The same as what private macros take and hand on. (context is the name of a column; nodes is none.)
merge, pipeline, aligned, strategy, missing, nodes, smooth, alpha
