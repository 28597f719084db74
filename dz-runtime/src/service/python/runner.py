"""Runs the stub of one service: reads requests and writes responses, one line of JSON each."""

import dataclasses
import datetime
import decimal
import enum
import importlib.util
import json
import keyword
import os
import queue
import sys
import threading
import traceback
import uuid


def main():
    # The messages get descriptors of their own; what the body prints goes to standard error, which dz logs.
    requests, responses = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")
    lines = queue.Queue()
    threading.Thread(target=read, args=(requests, lines), daemon=True).start()
    out = os.fdopen(responses, "w", encoding="utf-8")
    service = json.loads(sys.argv[1])
    try:
        function = load(service)
    except BaseException as error:
        traceback.print_exc()
        return write(out, {"ready": False, "error": describe(error)})
    write(out, {"ready": True})
    while True:
        request = json.loads(lines.get())
        if "ping" in request:
            write(out, {"pong": request["ping"]})
            continue
        try:
            answer = {"output": call(service, function, request)}
        except BaseException as error:
            traceback.print_exc()
            answer = {"error": describe(error)}
        write(out, {"id": request["id"], **answer})


def read(descriptor, lines):
    """Ends the process with the application, also while the body runs."""
    with os.fdopen(descriptor, encoding="utf-8") as source:
        for line in source:
            lines.put(line)
    os._exit(0)


def write(out, message):
    out.write(json.dumps(message, allow_nan=False) + "\n")
    out.flush()


def describe(error):
    return {"type": type(error).__name__, "message": str(error)}


def load(service):
    path = service["file"]
    # Modules beside the stub can be imported.
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("dz_service_" + service["name"], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    function = getattr(module, identifier(service["name"]), None)
    if not callable(function):
        raise AttributeError(f"{path} has no function `{identifier(service['name'])}`")
    return function


def identifier(name):
    return name + "_" if keyword.iskeyword(name) or name == "context" else name


class Context:
    """The call: `key` is equal for all attempts of one step, `attempt` counts them from 1."""

    def __init__(self, key, attempt):
        self.key = key
        self.attempt = attempt


def call(service, function, request):
    given = request["input"]
    values = {identifier(it["name"]): decode(it, it["lists"], given[it["name"]]) for it in service["input"]}
    output = function(**values, context=Context(request["key"], request["attempt"]))
    return encode_output(service, output)


def decode(it, lists, value):
    if value is None:
        return None
    if lists > 0:
        return [decode(it, lists - 1, item) for item in value]
    kind = it["type"]
    if kind == "decimal":
        return decimal.Decimal(value["amount"] if it["currency"] else value)
    if kind == "date":
        return datetime.date.fromisoformat(value)
    if kind == "datetime":
        # Python 3.10 does not accept `Z`.
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    return value


def encode_output(service, output):
    if dataclasses.is_dataclass(output) and not isinstance(output, type):
        output = {field.name: getattr(output, field.name) for field in dataclasses.fields(output)}
    if output is None and not service["output"]:
        output = {}
    if not isinstance(output, dict):
        raise TypeError(f"`{service['name']}` must return its output dataclass or a dict, not {type(output).__name__}")
    names = {identifier(it["name"]): it for it in service["output"]}
    names.update({it["name"]: it for it in service["output"]})
    encoded = {}
    for name, value in output.items():
        it = names.get(name)
        if it is None:
            # dz reports names that do not exist.
            encoded[str(name)] = None
            continue
        try:
            value = encode(it, it["lists"], value)
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise TypeError(f"output `{it['name']}`: {error}") from error
        encoded[it["name"]] = value
    return encoded


def encode(it, lists, value):
    if value is None:
        return None
    if lists > 0 and isinstance(value, (list, tuple)):
        return [encode(it, lists - 1, item) for item in value]
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, decimal.Decimal):
        value = format(value, "f")
    elif isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError("a datetime needs a time zone, for example datetime.now(timezone.utc)")
        value = value.isoformat()
    elif isinstance(value, (datetime.date, uuid.UUID)):
        value = str(value)
    if it["currency"] and isinstance(value, (str, int)) and not isinstance(value, bool):
        return {"amount": str(value), "currency": it["currency"]}
    return value


main()
