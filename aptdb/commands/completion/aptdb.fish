# Completion of aptdb for fish.
function __aptdb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l told (_APTDB_COMPLETE=complete_fish $words[1] $words "$current" 2>/dev/null </dev/null)
    switch "$told[1]"
        case files
            __fish_complete_path $current
        case folders
            __fish_complete_directories $current
        case '*'
            test (count $told) -gt 1; and printf '%s\n' $told[2..-1]
    end
end
complete --command aptdb --no-files --keep-order --arguments '(__aptdb_complete)'
