#compdef aptdb
# Completion of aptdb for Zsh.
_aptdb() {
    local -a told values shown
    local line value meaning
    told=("${(@f)$(_APTDB_COMPLETE=complete_zsh "${(Q)words[1]}" \
        "${(@)words[1,CURRENT-1]}" "${QIPREFIX}${PREFIX}" 2>/dev/null </dev/null)}")
    case $told[1] in
        files) _files; return ;;
        folders) _files -/; return ;;
    esac
    for line in "${(@)told[2,-1]}"; do
        value=${line%%$'\t'*} meaning=${line#*$'\t'}
        values+=("$value")
        shown+=("${value}${meaning:+  ($meaning)}")
    done
    (( $#values )) || return 1
    local -a how
    [[ $told[1] == open ]] && how=(-S '')
    compadd -V aptdb -d shown "${how[@]}" -a values
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _aptdb aptdb
