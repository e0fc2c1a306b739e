"""The rich display of outcomes in Jupyter."""

from html import escape

_WIDTH, _HEIGHT, _MARGIN = 480, 200, 45


def outcome_html(outcome):
    """Return the status of an outcome and, for an optimisation, its progress over time."""
    text = escape(f"{outcome.status}" + ("" if outcome.objective is None else f": {outcome.objective}"))
    return f"<p>{text}</p>" + (progress_svg(outcome.progress) or "")


def progress_svg(progress):
    """Return a picture of the objective (a line) and the bound (a dashed line) over time, or None if there are no values."""
    values = [value for _, objective, bound in progress for value in (objective, bound) if value is not None]
    if not values or max(abs(value) for value in values) > 1 << 100:
        values = [objective for _, objective, _ in progress if objective is not None]
    if not values:
        return None
    low, high = min(values), max(values)
    end = max(time for time, _, _ in progress) or 1.0

    def line(which, style):
        points, last = [], None
        for step in progress:
            value = step[which]
            if value is None or not low <= value <= high:
                continue
            x = _MARGIN + step[0] / end * (_WIDTH - 2 * _MARGIN)
            y = _HEIGHT - _MARGIN / 2 - (value - low) / max(high - low, 1) * (_HEIGHT - _MARGIN)
            if last is not None:
                points.append(f"{x:.1f},{last:.1f}")
            points.append(f"{x:.1f},{y:.1f}")
            last = y
        return f'<polyline points="{" ".join(points)}" fill="none" stroke="#1a7f37" stroke-width="2"{style}/>'

    lines = line(1, "") + line(2, ' stroke-dasharray="4 3"')
    labels = (
        f'<text x="4" y="{_MARGIN / 2 + 4}">{high}</text><text x="4" y="{_HEIGHT - _MARGIN / 2}">{low}</text>'
        f'<text x="{_WIDTH - _MARGIN}" y="{_HEIGHT - 4}">{end:.2f} s</text>'
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-size="11">{lines}{labels}</svg>'
