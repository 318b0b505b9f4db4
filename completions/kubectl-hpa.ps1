# Completion of kubectl-hpa for PowerShell. For `kubectl hpa` see kubectl_complete-hpa.

Register-ArgumentCompleter -Native -CommandName 'kubectl-hpa' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
    $program = $words[0]
    $words = @($words | Select-Object -Skip 1)
    # A word that has not begun is no element of the line. Before 7.3 an empty argument has to be quoted to arrive.
    if ($wordToComplete -eq '') {
        $words += if ($PSVersionTable.PSVersion -lt [version]'7.3' -or $PSNativeCommandArgumentPassing -eq 'Legacy') { '""' } else { '' }
    }
    $flag = if ($wordToComplete -match '^-[^=]*=') { $Matches[0] } else { '' }
    $offers = @(& $program __complete -- @words 2>$null)
    $directive = 0
    if ($offers.Count -gt 0 -and $offers[-1] -match '^:(\d+)$') { $directive = [int]$Matches[1] }
    $space = if ($directive -band 2) { '' } else { ' ' }
    # Only words that need no quotes are taken.
    $plain = if ($wordToComplete -match '^-[^=]*$') { '^--?[A-Za-z0-9-]+(\t|$)' } else { '^[A-Za-z0-9._/+][A-Za-z0-9._:=/@,+%-]*(\t|$)' }
    $found = @($offers | Where-Object { $_ -match $plain } | ForEach-Object {
        $value, $help = $_ -split "`t", 2
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new("$flag$value$space", $value, 'ParameterValue', $help)
    })
    # Nothing at all makes PowerShell offer files.
    if ($found.Count -eq 0 -and ($directive -band 4)) { '' } else { $found }
}
