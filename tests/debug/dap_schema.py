"""The protocol's own JSON schema, which debugpy carries: does a message of the adapter's keep to it? Where debugpy or jsonschema is
missing (they come with `make setup NOTEBOOK=1`), nothing is known."""
import glob
import importlib.util
import json
import os


def _find():
    spec = importlib.util.find_spec("debugpy")
    if not spec or not importlib.util.find_spec("jsonschema"):
        return None
    found = glob.glob(os.path.join(os.path.dirname(spec.origin), "**", "debugProtocol.json"), recursive=True)
    if not found:
        return None
    with open(found[0], encoding="utf-8") as f:
        return json.load(f)


_schema = _find()
_validators = {}


def known():
    return _schema is not None


def complaint(message):
    """What is wrong with it; None: nothing, or it is none that the protocol names."""
    kind = message.get("type")
    word = message.get("event" if kind == "event" else "command", "")
    name = word[:1].upper() + word[1:] + ("Event" if kind == "event" else "Response")
    if kind == "response" and not message.get("success"):
        name = "ErrorResponse"
    if not _schema or name not in _schema["definitions"]:
        return None
    if name not in _validators:
        import jsonschema
        _validators[name] = jsonschema.Draft4Validator({"$ref": "#/definitions/" + name, "definitions": _schema["definitions"]})
    for error in _validators[name].iter_errors(message):
        return f"{name}: {error.message[:200]} at {'/'.join(map(str, error.absolute_path))}"
    return None
