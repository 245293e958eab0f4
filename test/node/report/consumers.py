"""Reads reports with the libraries of their users.

stdin: {"junit": XML, "csv": text, "bom": [CycloneDX, ...]}, each optional.
stdout: what each library reads, as JSON; null where it is not installed.
"""

import json
import sys
from importlib import import_module
from io import BytesIO


def junit(text):
    from junitparser import JUnitXml

    suites = JUnitXml.fromstring(text.encode())
    return {
        "totals": [suites.tests, suites.failures, suites.errors, suites.skipped],
        "cases": [
            [suite.name, case.name, *(type(result).__name__ for result in case.result)]
            for suite in suites
            for case in suite
        ],
    }


def csv(text):
    from pandas import read_csv

    return read_csv(BytesIO(text.encode()), dtype=str, keep_default_na=False).to_dict("records")


def bom(texts):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    def errors(text):
        version = SchemaVersion.from_version(json.loads(text)["specVersion"])
        return [error.data.message for error in JsonStrictValidator(version).validate_str(text, all_errors=True) or []]

    return [errors(text) for text in texts]


readers = {
    "junit": (junit, ["junitparser"]),
    "csv": (csv, ["pandas"]),
    "bom": (bom, ["cyclonedx.validation.json", "jsonschema", "referencing"]),
}


def read(name, given):
    reader, needed = readers[name]
    try:
        for module in needed:
            import_module(module)
    except Exception:
        return None
    return reader(given)


print(json.dumps({name: read(name, given) for name, given in json.load(sys.stdin).items()}))
