gpuenv_test(pieces/shards quick 300 ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/pieces/shards.py
            $<TARGET_FILE:gpuenv>)
