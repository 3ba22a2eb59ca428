"""What can be changed in a C file, and which of that is drawn. A mutant is one of: an operator becomes
another, a constant its neighbour, a condition its opposite, a statement is deleted."""
import hashlib
import pathlib
import re

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*")
    |(?P<char>'(?:\\.|[^'\\])+')
    |(?P<number>\.?[0-9](?:[eEpP][-+]|[\w.])*)
    |(?P<name>\w+)
    |(?P<operator><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""",
    re.S | re.M | re.X)
OTHER = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "+": "-",
         "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<", "+=": "-=",
         "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "++": "--", "--": "++"}
UNSPACED = {"++", "--"}
DECLARES = {"struct", "enum", "union", "const", "static", "extern", "typedef", "unsigned", "int", "char", "size_t"}


class Mutant:
    def __init__(self, path, text, start, end, put, change):
        self.path, self.start, self.end, self.put, self.change = path, start, end, put, change
        self.line = text.count("\n", 0, start) + 1
        self.last = text.count("\n", 0, end) + 1
        lines = text.split("\n", self.line)
        self.text, self.before = lines[self.line - 1].strip(), lines[self.line - 2].strip()
        self.nth = 1

    def key(self):
        """Names the mutant where lines have moved."""
        return f"{self.path}\t{self.text}\t{self.change}"

    def unique(self):
        return f"{self.key()}\t{self.nth}"

    def apply(self, text):
        return text[:self.start] + self.put + text[self.end:]


def other_number(token, seed):
    number, suffix = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9.]+(?:[eE][-+]?\d+)?)(.*)", token).groups()
    if "." in number or "e" in number.lower() and not number.lower().startswith("0x"):
        return f"{float(number) + 1}{suffix}"
    octal = re.fullmatch("0[0-7]+", number)
    value = int(number, 8 if octal else 0)
    value += -1 if value > 0 and score(seed, token) & 1 else 1
    return f"{'0' if octal else ''}{value:{'#x' if number.lower().startswith('0x') else 'o' if octal else 'd'}}{suffix}"


def tokens_of(text):
    return [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup != "skip"]


def closing(tokens, at):
    """The parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[i][1], 0)
        if depth == 0:
            return i
    return at


def declares(words):
    return words[0] in DECLARES or len(words) > 2 and re.match(r"\w+ (\* )*\w+ ([=;,[])", " ".join(words)) \
        and words[0] not in ("return", "goto", "else", "case")


def statements(tokens):
    """First and last token of each statement in functions that could be deleted."""
    depth, parens, first, inside = 0, 0, 0, False
    headers = set()
    for i, (_, word, _, _) in enumerate(tokens):
        if word == "{":
            inside = inside or depth == 0 and i > 0 and tokens[i - 1][1] == ")"
            depth += 1
        elif word == "}":
            depth -= 1
            inside = inside and depth > 0
        parens += {"(": 1, ")": -1}.get(word, 0)
        if word in ("if", "while", "for", "switch") and i + 1 < len(tokens):
            headers.add(closing(tokens, i + 1))
        if word == ";" and not parens and inside and i > first:
            words = [t[1] for t in tokens[first:i + 1]]
            if not declares(words):
                yield first, i
        if not parens and word in (";", "{", "}", "else", "do", ":") or i in headers:
            first = i + 1


def token_changes(text, tokens, i, seed):
    """Start, end, text put there and the name of the change, for what can be done to one token."""
    kind, word, start, end = tokens[i]
    before = tokens[i - 1][1] if i else ""
    if kind == "operator" and word in OTHER:
        spaced = text[start - 1].isspace() and text[end:end + 1].isspace()
        if spaced or word in UNSPACED:
            yield start, end, OTHER[word], f"{word} to {OTHER[word]}"
    elif word == "!":
        yield start, end, "", "! dropped"
    elif kind == "number":
        size_of_array = before == "[" and i > 2 and (
            tokens[i - 2][1] == "]" or (tokens[i - 3][0] == "name" or tokens[i - 3][1] == "*")
            and tokens[i - 3][1] not in ("return", "case"))
        if not size_of_array:
            put = other_number(word, f"{seed} {text[text.rfind(chr(10), 0, start) + 1:start]}")
            yield start, end, put, f"{word} to {put}"
    elif kind == "char":
        put = "'~'" if word != "'~'" else "'!'"
        yield start, end, put, f"{word} to {put}"
    elif word in ("true", "false"):
        put = "false" if word == "true" else "true"
        yield start, end, put, f"{word} to {put}"
    elif word in ("if", "while") and tokens[i + 1][1] == "(":
        last = closing(tokens, i + 1)
        inner = text[tokens[i + 1][3]:tokens[last][2]]
        yield tokens[i + 1][3], tokens[last][2], f"!({inner})", "condition negated"


def changes(path, text, seed):
    """All mutants of a file."""
    tokens = tokens_of(text)
    found = []
    for i in range(len(tokens)):
        found += [Mutant(path, text, *change) for change in token_changes(text, tokens, i, seed)]
    for first, last in statements(tokens):
        start, end = tokens[first][2], tokens[last][3]
        found.append(Mutant(path, text, start, end, ";" + "\n" * text.count("\n", start, end), "deleted"))
    names, lines = {}, {}
    for m in found:  # the second "+ to -" of a line; the second line with this text
        same = (m.line, m.change)
        names[same] = names.get(same, 0) + 1
        if names[same] > 1:
            m.change += f" ({names[same]})"
        at = lines.setdefault(m.text, [])
        if m.line not in at:
            at.append(m.line)
        m.nth = at.index(m.line) + 1
    return found


def score(*what):
    return int.from_bytes(hashlib.sha256("\t".join(map(str, what)).encode()).digest()[:8], "big")


def room_of(path):
    parts = pathlib.PurePath(path).parts
    return parts[1] if len(parts) > 2 else "main"


def places_of(path, text, seed):
    """For each line that can be changed its mutants, in the order in which they are tried."""
    lines = {}
    for m in changes(path, text, seed):
        lines.setdefault(m.line, []).append(m)
    for mutants in lines.values():
        mutants.sort(key=lambda m: score(seed, m.unique()))
    return list(lines.values())


def draw(texts, count, seed):
    """How many mutants each room gets, by its lines but several each, and all of its places in the order of
    the draw. A change of one line of code changes only what is drawn there. `texts`: path to text."""
    rooms, sizes = {}, {}
    for path, text in texts.items():
        room = room_of(path)
        sizes[room] = sizes.get(room, 0) + text.count("\n")
        rooms.setdefault(room, []).extend(places_of(path, text, seed))
    total = sum(sizes.values())
    quota = {room: max(1, count // 50, round(count * sizes[room] / total)) for room in rooms}
    while sum(quota.values()) > max(count, len(quota)):
        quota[max(quota, key=lambda r: quota[r])] -= 1
    while sum(quota.values()) < count:
        quota[max(sizes, key=lambda r: sizes[r] / quota[r])] += 1
    for places in rooms.values():
        places.sort(key=lambda p: score(seed, "line", p[0].path, p[0].text, p[0].nth))
    return quota, rooms
