-- The steps of a path's text, in order: '<amod<obj>nsubj' gives ['<amod', '<obj', '>nsubj'].
-- The empty path may be written '' or ε. Text that is no sequence of steps is an error that names it.
CREATE OR REPLACE MACRO _store.path_steps(p) AS
    CASE
        WHEN p = 'ε' THEN []::VARCHAR[]
        WHEN NOT regexp_full_match(p, '([<>][^<>]+)*', 's') THEN error(
            'no path: ''' || p || '''; a path is steps such as <amod (up) and >nsubj (down), as in <amod<obj>nsubj'
        )
        ELSE regexp_extract_all(p, '[<>][^<>]+', 0, 's')
    END;

-- A step turned round: '<amod' gives '>amod'. Relations hold neither sign, so only the first letter turns.
CREATE OR REPLACE MACRO _store.step_inverse(step) AS
    translate(step, '<>', '><');

-- The steps of the inverse of a path: its own in reverse order, each turned round.
CREATE OR REPLACE MACRO _store.inverse_steps(p) AS
    list_transform(list_reverse(_store.path_steps(p)), lambda step: _store.step_inverse(step));

-- The text that is left of steps when adjacent complementary ones (<r>r, >r<r) have cancelled until none is left:
-- the paper's equation 1. The steps are read once; what is kept so far is the stack on which the next one cancels.
CREATE OR REPLACE MACRO _store.reduce_steps(steps) AS
    list_reduce(
        steps,
        lambda kept, step: CASE
            WHEN ends_with(kept, _store.step_inverse(step)) THEN left(kept, length(kept) - length(step))
            ELSE kept || step
        END,
        ''
    );
