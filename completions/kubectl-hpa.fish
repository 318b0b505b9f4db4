# Completion of kubectl-hpa for fish. For `kubectl hpa` see kubectl_complete-hpa.

function __kubectl_hpa_offers
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l directive 0
    set -l offers
    # Only words that need no quotes are taken.
    for line in ($program __complete -- $words $begun 2>/dev/null </dev/null)
        if string match -q -r -- '^:[0-9]$' $line
            set directive (string sub -s 2 -- $line)
        else if string match -q -r -- '^[A-Za-z0-9._/@,+][A-Za-z0-9._:=/@,+%-]*(\t|$)' $line
            set -a offers $line
        else if string match -q -r -- '^--?[A-Za-z0-9-]+(\t|$)' $line; and string match -q -- '-*' $begun
            set -a offers $line
        end
    end
    # fish takes the whole word, --flag= included.
    set -l flag (string match -r -- '^-[^=]*=' $begun)
    if test (count $offers) -gt 0
        printf '%s\n' "$flag"$offers
    else if test $directive -eq 0
        set -l value (string replace -r -- '^-[^=]*=' '' $begun)
        printf '%s\n' "$flag"(__fish_complete_path $value)
    end
end

complete -c kubectl-hpa -e
complete -c kubectl-hpa -f -a '(__kubectl_hpa_offers)'
