# Completion of aptdb for Bash 4.4 or newer.
_aptdb() {
    local IFS=$'\n' line told=values program=${1/#\~/$HOME}
    COMPREPLY=()
    {
        IFS= read -r told
        while IFS= read -r line; do COMPREPLY+=("${line%%$'\t'*}"); done
    } < <(_APTDB_COMPLETE=complete_bash _APTDB_BREAKS=$COMP_WORDBREAKS \
        "$program" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
    case $told in
        files) compopt -o default -o filenames ;;
        folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
        open) compopt -o nospace ;;
    esac
}
complete -o nosort -F _aptdb aptdb
