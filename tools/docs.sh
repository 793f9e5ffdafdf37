#!/bin/sh
# Builds the documentation site into build/site/html from the Markdown and the public headers. Warnings are errors.
#   tools/docs.sh [--no-setup]
set -eu
cd "$(dirname "$0")/.."

case ${1-} in
  '') sh tools/setup.sh docs ;;
  --no-setup) ;;
  *) echo "usage: tools/docs.sh [--no-setup]" >&2; exit 2 ;;
esac

out=build/site
mkdir -p "$out"
rm -rf "$out/xml"
{ cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = $out"; } | doxygen -
/usr/bin/python3 -B docs/site/motion.py build/release/tools/volcontact/volcontact "$out/extra/motion" "$out/runs"
/usr/bin/python3 docs/site/stage.py "$out/source" "$out/xml"
modules=build/npm/node_modules
cp $modules/mermaid/dist/mermaid.min.js $modules/mathjax/es5/tex-svg-full.js "$out/source/_static/"
/usr/bin/python3 -B docs/site/theme.py "$out/source/_static" $modules/.bin
VOLCONTACT_SITE=$PWD/$out \
  /usr/bin/python3 -m sphinx -q -W --keep-going -b html -c docs/site -d "$out/doctrees" "$out/source" "$out/html"
echo "$out/html/index.html"
