# Completion of aptdb for PowerShell.
Register-ArgumentCompleter -Native -CommandName aptdb -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $Env:_APTDB_COMPLETE = 'complete_powershell'
    try { $told = @(& $words[0] @words "$wordToComplete" 2>$null) } finally { $Env:_APTDB_COMPLETE = $null }
    if ($told.Count -lt 2) { return }
    foreach ($line in $told[1..($told.Count - 1)]) {
        $value, $meaning = $line -split "`t", 2
        $written = $value
        if ($value -match '[^\w\-./:=%+^]') { $written = "'" + $value.Replace("'", "''") + "'" }
        if (-not $meaning) { $meaning = $value }
        [System.Management.Automation.CompletionResult]::new($written, $value, 'ParameterValue', $meaning)
    }
}
