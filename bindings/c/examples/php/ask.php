<?php
// Queries a robots.txt through FFI.
//
//     VERGER_LIBRARY=/usr/local/lib/libverger.so.0 php -d ffi.enable=1 ask.php
declare(strict_types=1);

final class Verger
{
    // The part of verger.h that this class uses.
    private const DECLARATIONS = <<<'C'
        typedef struct { const char *data; size_t len; } verger_text;
        typedef struct { int32_t status; char message[256]; } verger_error;
        typedef struct {
            int32_t status; uint32_t effect; uint32_t reason; uint32_t line;
            verger_text pattern; uint32_t group_line; uint32_t named_by;
        } verger_verdict;
        typedef struct verger_robots verger_robots;
        typedef struct verger_crawler verger_crawler;
        typedef struct verger_policy verger_policy;
        verger_robots *verger_parse(const char *body, size_t len, uint32_t dialect, verger_error *error);
        verger_crawler *verger_crawler_known(const char *name, size_t len, uint32_t dialect, verger_error *error);
        verger_policy *verger_policy_new(const verger_robots *robots, const verger_crawler *crawler, verger_error *error);
        verger_verdict verger_policy_decide(const verger_policy *policy, const char *url, size_t len, verger_error *error);
        void verger_robots_free(verger_robots *robots);
        void verger_crawler_free(verger_crawler *crawler);
        void verger_policy_free(verger_policy *policy);
        C;
    private const RFC9309 = 0;
    private static ?FFI $ffi = null;

    private FFI\CData $policy;
    private FFI\CData $error;

    public function __construct(string $body, string $agent)
    {
        $ffi = self::ffi();
        $this->error = $ffi->new('verger_error');
        $error = FFI::addr($this->error);
        $robots = $ffi->verger_parse($body, strlen($body), self::RFC9309, $error) ?? $this->fail();
        $crawler = $ffi->verger_crawler_known($agent, strlen($agent), self::RFC9309, $error);
        try {
            $crawler ?? $this->fail();
            $this->policy = $ffi->verger_policy_new($robots, $crawler, $error) ?? $this->fail();
        } finally {
            $ffi->verger_crawler_free($crawler);
            $ffi->verger_robots_free($robots);
        }
    }

    public function __destruct()
    {
        if (isset($this->policy)) {
            self::ffi()->verger_policy_free($this->policy);
        }
    }

    /** @return array{allowed: bool, line: int, pattern: string} */
    public function decide(string $url): array
    {
        $verdict = self::ffi()->verger_policy_decide($this->policy, $url, strlen($url), FFI::addr($this->error));
        if ($verdict->status !== 0) {
            $this->fail();
        }
        $text = $verdict->pattern;
        $pattern = $text->len === 0 ? '' : FFI::string($text->data, $text->len);
        return ['allowed' => $verdict->effect === 1, 'line' => $verdict->line, 'pattern' => $pattern];
    }

    private function fail(): never
    {
        throw new InvalidArgumentException(FFI::string($this->error->message));
    }

    private static function ffi(): FFI
    {
        return self::$ffi ??= FFI::cdef(self::DECLARATIONS, getenv('VERGER_LIBRARY') ?: 'libverger.so.0');
    }
}

$policy = new Verger("User-agent: *\nDisallow: /private/\nAllow: /private/press/\n", 'ExampleBot');
foreach (['/', '/private/x', '/private/press/1'] as $url) {
    $verdict = $policy->decide($url);
    echo $url, ' ', $verdict['allowed'] ? 'true' : 'false', ' ', $verdict['line'], ' ', $verdict['pattern'], "\n";
}
try {
    $policy->decide('no URL');
} catch (InvalidArgumentException $e) {
    echo 'refused: ', $e->getMessage(), "\n";
}
