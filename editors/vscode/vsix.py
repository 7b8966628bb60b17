#!/usr/bin/env python3
"""Packs the extension: vsix.py VERSION OUT. A .vsix is a zip with the extension's files and two lists of what they are."""
import json
import os
import sys
import zipfile

version, out = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "package.json"), encoding="utf-8") as f:
    package = json.load(f)
package["version"] = version.split("-")[0]

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
"""


def put(archive, name, text):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes from the same files
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text)


with zipfile.ZipFile(out, "w") as archive:
    put(archive, "[Content_Types].xml", TYPES)
    put(archive, "extension.vsixmanifest", MANIFEST.format(engine=package["engines"]["vscode"], **{
        **package, "categories": ",".join(package["categories"])}))
    put(archive, "extension/package.json", json.dumps(package, indent=2))
    for name in ("extension.js", "README.md"):
        with open(os.path.join(here, name), encoding="utf-8") as f:
            put(archive, "extension/" + name, f.read())
