param(
    [Parameter(Mandatory)] [string] $Judul,
    [Parameter(Mandatory)] [string] $Isi,
    [string] $UserId
)

[Net.ServicePointManager]::SecurityProtocol =
    [Net.ServicePointManager]::SecurityProtocol -bor 3072

$fields = @{ judul = $Judul; isi = $Isi }
if ($PSBoundParameters.ContainsKey('UserId')) { $fields.user_id = $UserId }
$json = ConvertTo-Json $fields -Compress

$request = @{
    Uri             = '{{base}}/api/v1/notif.php'
    Method          = 'Post'
    ContentType     = 'application/json'
    Body            = [Text.Encoding]::UTF8.GetBytes($json)
    Headers         = @{
        'X-API-Key'       = $env:NOTIF_KEY
        'Accept-Language' = 'id'
        'Idempotency-Key' = [guid]::NewGuid().ToString()
    }
    TimeoutSec      = 30
    UseBasicParsing = $true
    ErrorAction     = 'Stop'
}

for ($attempt = 1; $attempt -le 4; $attempt++) {
    try {
        $answer = Invoke-RestMethod @request
        "terkirim: $($answer.terkirim)"
        exit 0
    }
    catch {
        $status = [int]$_.Exception.Response.StatusCode
        $reason = $_.Exception.Message
        if ($_.ErrorDetails.Message) {
            $reason = "HTTP ${status}: $($_.ErrorDetails.Message)"
        }
        $mayRetry = $status -in 0, 429, 502, 503, 504
    }
    if (-not $mayRetry) { break }
    if ($attempt -lt 4) { Start-Sleep $(if ($status -eq 429) { 60 } else { 5 }) }
}

[Console]::Error.WriteLine($reason)
exit 1
