# Completion of kubectl-hpa for bash 3.2 and newer. For `kubectl hpa` see kubectl_complete-hpa.

_kubectl_hpa() {
    # bash has split the line at = and : as well; words that nothing stands between belong together.
    local line=${COMP_LINE:0:COMP_POINT} words=() word rest i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        rest=${line#"${line%%[![:space:]]*}"}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$rest
        if ((i == 0)) || [[ $rest != "$line" ]]; then
            words+=("$word")
        else
            words[${#words[@]}-1]+=$word
        fi
        line=${rest#"$word"}
    done
    for ((i = 0; i < ${#words[@]}; i++)); do
        word=${words[i]//[\'\"\\]/}
        [[ $word != '~/'* ]] || word=$HOME/${word:2}
        words[i]=$word
    done

    # Only words that need no quotes are taken, for readline inserts them as they are.
    local offers=() helps=() directive=0 offer value begun=${words[${#words[@]}-1]} flag='^-[^=]*='
    while IFS= read -r offer; do
        value=${offer%%$'\t'*}
        case $value in
        :[0-9]) directive=${value#:} ;;
        '' | [=%:]* | *[!A-Za-z0-9._:=/@,+%-]*) ;;
        *)
            [[ $value != -* || ($begun == -* && $value == "$begun"*) ]] || continue
            offers+=("$value")
            [[ $offer == *$'\t'* ]] && helps+=("${offer#*$'\t'}") || helps+=("")
            ;;
        esac
    done < <("${words[0]}" __complete -- "${words[@]:1}" 2>/dev/null </dev/null)

    [[ $begun =~ $flag ]] && begun=${begun#*=}
    COMPREPLY=()
    if (((directive & 4) == 0 && ${#offers[@]} == 0)); then
        # readline quotes what it knows to be names of files; bash 3.2 cannot tell it.
        local quoted=%q
        type compopt &>/dev/null && compopt -o filenames 2>/dev/null && quoted=%s
        while IFS= read -r offer; do
            printf -v offer "$quoted" "$offer"
            COMPREPLY+=("$offer")
        done < <(compgen -f -- "$begun")
        return
    fi
    if (((directive & 2) != 0)); then
        type compopt &>/dev/null && compopt -o nospace 2>/dev/null
    fi
    # What readline takes for the word begins after the last = or :.
    local before='' width=0
    [[ $COMP_WORDBREAKS == *=* && $begun == *=* ]] && before=${begun%"${begun##*=}"}
    [[ $COMP_WORDBREAKS == *:* && ${begun#"$before"} == *:* ]] && before=${begun%"${begun##*:}"}
    for offer in "${offers[@]}"; do
        ((${#offer} > width)) && width=${#offer}
    done
    for ((i = 0; i < ${#offers[@]}; i++)); do
        offer=${offers[i]#"$before"}
        # Only a list is read by a person: 63 is the second tab, 33 is show-all-if-ambiguous.
        if [[ -n ${helps[i]} && ${#offers[@]} -gt 1 && ($COMP_TYPE == 63 || $COMP_TYPE == 33) ]]; then
            printf -v offer '%-*s  (%s)' "$width" "$offer" "${helps[i]}"
        fi
        COMPREPLY+=("$offer")
    done
}

complete -F _kubectl_hpa kubectl-hpa
