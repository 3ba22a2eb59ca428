#!/bin/sh
# words.sh NAME: the dictionary in scripts/fuzz/dictionaries/ of a fuzzer; nothing if it has none.
case $1 in
perfdata | perfdata_features | pipe_mode | data_dir | process | pipeline) echo perfdata ;;
write_outputs | input_folded) echo markup ;;
script | value) echo "$1" ;;
dwarf_lines) echo lines ;;
esac
